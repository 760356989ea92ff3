export interface Endpoint {
  port: number;
  password: string;
}

/** Where the server listens, and its superuser's password. */
export interface Endpoint {
  port: number;
  password: string;
}

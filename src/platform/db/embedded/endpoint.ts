/** The port that the server listens on, and the password of its superuser. */
export interface Endpoint {
  port: number;
  password: string;
}

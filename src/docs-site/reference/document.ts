export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  description?: string;
  enum?: readonly unknown[];
  const?: unknown;
  examples?: readonly unknown[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  required?: readonly string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  oneOf?: readonly Schema[];
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  example?: unknown;
  schema?: Schema;
}

interface Content {
  schema?: Schema;
  examples?: Record<string, { value: unknown }>;
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags?: readonly string[];
  parameters?: readonly Parameter[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { description: string; content?: Record<string, Content> }>;
  security?: readonly object[];
}

export interface Document {
  info: { title: string; description?: string };
  servers?: readonly { url: string; description?: string }[];
  tags?: readonly { name: string; description?: string }[];
  paths?: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, { post: Operation }>;
  components?: { schemas?: Record<string, Schema> };
}

export interface PlacedOperation extends Operation {
  method: string;
  path: string;
}

export const listOperations = ({ paths = {} }: Document): PlacedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );

export const nameOfReference = (reference: string) => reference.replace('#/components/schemas/', '');

import * as z from 'zod';

/** A field of a form that a person fills in. */
export interface FormField {
  readonly name: string;
  readonly type?: string | undefined;
  readonly description?: string | undefined;
  readonly choices?: readonly string[] | undefined;
  readonly isRequired: boolean;
}

/** The schema of a form as JSON Schema: flat, as the protocol wants it. */
export function formSchema(schema: z.ZodObject) {
  const { properties, required = [] } = z.toJSONSchema(schema, { io: 'input' });
  return { type: 'object', properties, required };
}

/** The same for a client that asks field by field. */
export function formFields(schema: z.ZodObject): FormField[] {
  const { properties = {}, required } = formSchema(schema);
  return Object.entries(properties).map(([name, property]) => {
    const { type, description, enum: choices } = property as z.core.JSONSchema.BaseSchema;
    return {
      name,
      type: typeof type === 'string' ? type : undefined,
      description,
      choices: choices?.map(String),
      isRequired: required.includes(name),
    };
  });
}

/** The quoted, qualified name of a table of ours; the schema is an option of the installation. */
export function inSchema(
  { dataSource }: { readonly dataSource: { readonly options: object } },
  table: string,
): string {
  return `"${schemaOf(dataSource)}"."${table}"`;
}

export function schemaOf(dataSource: { readonly options: object }): string {
  const { schema } = dataSource.options as { schema?: string };
  return schema ?? 'public';
}

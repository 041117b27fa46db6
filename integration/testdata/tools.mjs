// The two tools that every server here offers, in the form of each SDK.
export const info = { name: 'stock', version: '1.0.0' };
export const exact = '{"count":9007199254740991,"ratio":1.5}';

export function register(server, z) {
  server.registerTool('count_stock', {
    description: 'Counts what lies in a place',
    inputSchema: z.object({ place: z.string().default('north') }),
    outputSchema: z.object({ count: z.number(), ratio: z.number() }),
    annotations: { readOnlyHint: true },
  }, async () => ({ content: [{ type: 'text', text: exact }], structuredContent: JSON.parse(exact) }));
  server.registerTool('clear_stock', {
    description: 'Clears a place',
    inputSchema: z.object({ place: z.string() }),
    annotations: { destructiveHint: true },
  }, async () => { console.error('clear_stock was called'); return { content: [] }; });
  return server;
}

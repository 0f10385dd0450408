import { clientConfigs } from './client-configs.ts';

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 46rem; margin: 3rem auto; padding: 0 1rem; }
  h1 { margin-bottom: 0; }
  h2 { font-size: 1rem; margin: 1.5rem 0 .25rem; }
  pre { background: color-mix(in srgb, currentColor 8%, transparent); border-radius: .4rem;
    margin: 0; overflow-wrap: anywhere; padding: .6rem .8rem; white-space: pre-wrap; }
  small { opacity: .7; }
`;

/**
 * The page at `/`: what is running here and how to connect. It needs no token, so it holds
 * nothing that another user of the machine may not know.
 */
export async function createPage(version: string) {
  const { createHash } = await import('node:crypto');
  const hash = createHash('sha256').update(STYLE).digest('base64');
  const contentSecurityPolicy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return (address: string) => ({ contentSecurityPolicy, html: html(version, address) });
}

function html(version: string, address: string): string {
  const configs = clientConfigs(`${address}/mcp`, '<token>')
    .map(
      ({
        client,
        where,
        text,
      }) => `<h2>${escapeHtml(client)} <small>${escapeHtml(where)}</small></h2>
<pre>${escapeHtml(text)}</pre>`,
    )
    .join('\n');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Baton</title>
<style>${STYLE}</style>
<h1>Baton is running</h1>
<p>Version ${escapeHtml(version)}. It serves MCP to the coding agents of this machine, at
<code>${escapeHtml(address)}/mcp</code> (clients of protocol 2024-11-05: <code>${escapeHtml(address)}/sse</code>).</p>
<p>A client needs the token. The terminal where <code>baton serve</code> runs says where it is;
<code>baton token</code> makes one that lasts.</p>
${configs}
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

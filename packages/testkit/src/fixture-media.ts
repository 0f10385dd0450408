import { defineTool, type Resource } from '@baton/core';
import * as z from 'zod';
import { base, type Fixtures } from './fixture-base.ts';
import { PIXEL, SILENCE } from './samples.ts';

export const picture = defineTool({
  ...base,
  name: 'picture',
  title: 'Picture',
  description: 'Shows a picture with a caption, a sound and a note.',
  input: z.object({ caption: z.string() }),
  output: z.object({ caption: z.string() }),
  run: (_fixtures: Fixtures, { caption }) => ({ caption }),
  content: ({ caption }) => [
    { type: 'text', text: `Picture: ${caption}` },
    { type: 'image', mimeType: 'image/png', data: PIXEL },
    { type: 'audio', mimeType: 'audio/wav', data: SILENCE },
    { type: 'resource', uri: 'fixture://caption', mimeType: 'text/plain', text: caption },
  ],
});

export const pixel: Resource<Fixtures> = {
  uri: 'fixture://pixel',
  name: 'pixel',
  title: 'Pixel',
  description: 'A picture.',
  mimeType: 'image/png',
  read: () => ({ mimeType: 'image/png', blob: PIXEL }),
};

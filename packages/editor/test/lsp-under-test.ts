export { FrameReader, frame } from '../src/lsp/framing.ts';

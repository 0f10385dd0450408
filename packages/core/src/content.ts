/** A text, or a picture or sound in base64. */
export type MediaContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly mimeType: string; readonly data: string };

/** What a result or a prompt shows: media, or the text of a resource together with its URI. */
export type Content =
  | MediaContent
  | {
      readonly type: 'resource';
      readonly uri: string;
      readonly mimeType: string;
      readonly text: string;
    };

export interface Message<Shown extends Content = Content> {
  readonly role: 'user' | 'assistant';
  readonly content: Shown;
}

/** Content as text for a terminal; of what is no text, its kind and size. */
export function contentText(content: readonly Content[]): string {
  return content.map((part) => ('text' in part ? part.text : describeMedia(part))).join('\n');
}

function describeMedia({ mimeType, data }: Extract<MediaContent, { mimeType: string }>): string {
  // Four characters of base64 stand for three bytes.
  return `[${mimeType}, ${Math.floor((data.replace(/=+$/, '').length * 3) / 4)} bytes]`;
}

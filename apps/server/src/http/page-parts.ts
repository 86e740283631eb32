import { markup, type Markup } from './markup.ts'

export interface PageParts {
  readonly title: string
  readonly description: string
  readonly path: string
  readonly picture: {
    readonly path: string
    readonly width: number
    readonly height: number
    readonly alt: string
  }
  readonly isIndexed: boolean
  readonly body: Markup
}

/** Removes the text once the app's own heading is there. Until then prerendered.css hides one of the two. */
const removal =
  "new MutationObserver((_,o)=>{if(document.querySelector('#root h1')){o.disconnect();document.getElementById('prerendered').remove()}}).observe(document.getElementById('root'),{childList:true,subtree:true})"

const replaced =
  /\s*<(?:title>[^<]*<\/title|meta\s+(?:name="(?:description|robots)"|property="og:[^"]*")[^>]*|link rel="canonical"[^>]*)>/g

interface PageContext {
  readonly origin: string
  readonly nonce: string
  readonly siteName: string
}

/** Inserts what people wrote last, so that none of it is taken for a placeholder. */
export function withParts(html: string, context: PageContext, parts: PageParts): string {
  // Replace by functions, because a dollar sign in a string has a meaning.
  return (
    html
      .replaceAll(replaced, '')
      // There is something to read without scripts.
      .replace(/<noscript>.*<\/noscript>\s*/, '')
      .replace('</head>', (end) => `${headOf(context, parts)}${end}`)
      .replace('<div id="root"></div>', (root) =>
        [
          root,
          `<div id="prerendered">${parts.body.toString()}</div>`,
          `<script nonce="${context.nonce}">${removal}</script>`,
        ].join(''),
      )
  )
}

function headOf(
  { origin, siteName }: PageContext,
  { title, description, path, picture, isIndexed }: PageParts,
): string {
  const tags = [
    markup`<title>${title}</title>`,
    meta('name', 'description', description),
    ...(isIndexed ? [] : [meta('name', 'robots', 'noindex')]),
    markup`<link rel="canonical" href="${origin}${path}">`,
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', siteName),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:url', `${origin}${path}`),
    meta('property', 'og:image', `${origin}${picture.path}`),
    meta('property', 'og:image:width', picture.width),
    meta('property', 'og:image:height', picture.height),
    meta('property', 'og:image:alt', picture.alt),
  ]
  return `${tags.join('\n')}\n`
}

function meta(kind: 'name' | 'property', name: string, content: string | number): Markup {
  return markup`<meta ${kind}="${name}" content="${content}">`
}

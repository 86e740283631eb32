import mime from 'mime'

/** Of a file in a deployment, by its extension alone. */
export function contentType(path: string): string {
  // Without a folder, mime takes a name such as `html` for an extension.
  const type = mime.getType(`/${path}`) ?? 'application/octet-stream'
  return textType.test(type) ? `${type}; charset=utf-8` : type
}

/** As in @fastify/send, which serves the site's own files. */
const textType = /^(?:text\/|application\/(?:javascript|json)$)/

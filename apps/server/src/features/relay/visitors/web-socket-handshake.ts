import { createHash } from 'node:crypto'
import {
  validateHeaderName,
  validateHeaderValue,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { answerHeaders, listOf } from './forwarded-headers.ts'

/** https://www.rfc-editor.org/rfc/rfc6455#section-1.3 */
const acceptGuid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/**
 * Gives a visitor the service's agreement to a WebSocket, and takes the connection from HTTP.
 * @param response where the visitor would have got an answer
 * @returns false if the service has not agreed to this visitor's key, or HTTP/1.1 forbids one of its headers
 */
export function switchToWebSocket(
  { headers, socket }: IncomingMessage,
  response: ServerResponse,
  answer: IncomingMessage,
): boolean {
  const accept = createHash('sha1')
    .update(`${headers['sec-websocket-key']}${acceptGuid}`)
    .digest('base64')
  if (answer.headers['sec-websocket-accept'] !== accept) return false
  const list = listOf(answerHeaders(answer.headers))
  const lines = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: websocket']
  try {
    for (let at = 0; at < list.length; at += 2) {
      const [name = '', value = ''] = list.slice(at, at + 2)
      if (name === 'content-length') continue
      validateHeaderName(name)
      validateHeaderValue(name, value)
      lines.push(`${name}: ${value}`)
    }
  } catch {
    return false
  }
  response.detachSocket(socket)
  socket.write([...lines, '\r\n'].join('\r\n'))
  return true
}

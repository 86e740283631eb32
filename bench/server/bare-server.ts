/** The simplest server: it always sends the same answer, without reading, storing or checking anything. */
import { createServer } from 'node:http'

const status = Number(process.env['STATUS'])
const headers: Record<string, string> = JSON.parse(process.env['HEADERS'] ?? '{}')
const body = Buffer.from(process.env['BODY'] ?? '', 'base64')
const server = createServer((_request, response) => {
  response.writeHead(status, headers).end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  process.stdout.write(`http://127.0.0.1:${port} is ready\n`)
})

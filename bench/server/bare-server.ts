/** The barest server that could give a short answer: nothing is read, kept or checked. */
import { createServer } from 'node:http'

const status = Number(process.env['STATUS'])
const server = createServer((_request, response) => {
  response.writeHead(status).end()
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  process.stdout.write(`http://127.0.0.1:${port} is ready\n`)
})

/** The barest server that could answer a heartbeat: nothing is read, kept or checked. */
import { createServer } from 'node:http'

const server = createServer((_request, response) => {
  response.writeHead(204).end()
})
server.listen(Number(process.env['PORT']), '127.0.0.1', () => process.stdout.write('ready\n'))

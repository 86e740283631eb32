/** The reference: a plain reverse proxy of `node:http` to the service at home. */
import { Agent, createServer, request } from 'node:http'

const target = new URL(process.env['TARGET'] ?? '')
const agent = new Agent({ keepAlive: true, maxSockets: 256 })
const server = createServer((asked, response) => {
  const { method, url: path, headers } = asked
  const { hostname: host, port } = target
  const passed = request({ agent, host, port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 0, answer.headers)
    answer.pipe(response)
  })
  asked.pipe(passed)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  process.stdout.write(`http://127.0.0.1:${port} is ready\n`)
})

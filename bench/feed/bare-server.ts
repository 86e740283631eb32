/** The least that Node's own server can do: the reference for short answers. Prints its port. */
import { createServer } from 'node:http'

const server = createServer((_request, response) => response.writeHead(304).end())
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') process.stdout.write(String(address.port))
})

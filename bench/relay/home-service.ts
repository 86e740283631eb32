/** The service: short answers, and large bodies both ways. */
import { createServer } from 'node:http'
import { largeBytes, pieceBytes } from './transfer-size.ts'

const piece = Buffer.alloc(pieceBytes, 'x')
const server = createServer((request, response) => {
  if (request.url === '/large') {
    response.writeHead(200, { 'content-length': String(largeBytes) })
    let left = largeBytes
    const write = () => {
      while (left > 0) {
        left -= piece.length
        if (!response.write(piece)) {
          response.once('drain', write)
          return
        }
      }
      response.end()
    }
    write()
    return
  }
  request.resume().on('end', () => response.end('hello'))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  process.stdout.write(`http://127.0.0.1:${port} is ready\n`)
})

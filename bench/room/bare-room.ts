/** The simplest room: it numbers messages and sends each to all connections, without storing anything. */
import { createServer } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'

const server = createServer()
const sockets = new WebSocketServer({ server, perMessageDeflate: false })
let n = 0
sockets.on('connection', (socket: WebSocket) => {
  socket.on('message', (data: Buffer) => {
    const { id, call, room, value } = JSON.parse(data.toString())
    if (call === 'join') {
      socket.send(JSON.stringify({ id, result: { last: n } }))
      return
    }
    n += 1
    const event = { kind: 'message', n, atMs: Date.now(), from: null, value: JSON.parse(value) }
    const text = JSON.stringify({ push: 'events', room, events: [event] })
    for (const other of sockets.clients) other.send(text)
    socket.send(JSON.stringify({ id, result: event }))
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  process.stdout.write(`http://127.0.0.1:${port} is ready\n`)
})

import { connect, type Socket } from 'node:net'

const connections = 16
/** A real device waits for its answer. So more unanswered heartbeats than this hold back further ones. */
const unansweredMax = 2000

/** Sends heartbeats over a few kept connections. */
export class HeartbeatDriver {
  readonly #sockets: readonly Socket[]
  #sent = 0
  #answered = 0
  #refused = 0
  #heldBack = 0

  constructor(port: number) {
    this.#sockets = Array.from({ length: connections }, () => {
      const socket = connect(port, '127.0.0.1').setNoDelay(true)
      socket.setEncoding('latin1').on('data', (text: string) => {
        // A status line is never split, because each answer is one small write of the server.
        for (const [, status] of text.matchAll(/HTTP\/1\.1 (\d+)/g)) {
          this.#answered += 1
          if (status !== '204') this.#refused += 1
        }
      })
      socket.on('error', (error) => {
        throw new Error('The server closed a connection of heartbeats', { cause: error })
      })
      return socket
    })
  }

  get unanswered(): number {
    return this.#sent - this.#answered
  }

  get refused(): number {
    return this.#refused
  }

  /** Heartbeats that were not sent, because the server lagged behind. */
  get heldBack(): number {
    return this.#heldBack
  }

  send(token: string): void {
    if (this.unanswered >= unansweredMax) {
      this.#heldBack += 1
      return
    }
    this.#sockets[this.#sent % connections]?.write(
      `POST /api/devices/heartbeat-token HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Length: 0\r\n\r\n`,
    )
    this.#sent += 1
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
  }
}

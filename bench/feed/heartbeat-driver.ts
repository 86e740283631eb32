import { connect, type Socket } from 'node:net'

const connections = 16
/** A device sends no heartbeat while it waits for the answer to one; nor do these altogether. */
const unansweredMax = 2000

/** Sends heartbeats at the times it is told to, over a few connections that stay open. */
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
        // Status lines are never cut here: each answer is one small write of the server.
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

  /** How many were not sent, since the server lagged behind. */
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

import type { OpenWire } from './connection.ts'

export function webSocketWire(url: string): OpenWire {
  return ({ onMessage, onClose }) => {
    const socket = new WebSocket(url)
    socket.addEventListener('message', ({ data }) => onMessage(String(data)))
    socket.addEventListener('close', ({ code }) => onClose(code))
    return socket
  }
}

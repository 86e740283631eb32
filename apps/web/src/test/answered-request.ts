import { answeredFetch } from './answer-api.ts'

/** Replaces the page's XMLHttpRequest, as far as lib/send-file.ts uses it. */
export class AnsweredRequest extends EventTarget {
  readonly upload = new EventTarget()
  readonly #headers = new Headers()
  readonly #aborting = new AbortController()
  #method = ''
  #address = ''
  #answer = new Response()
  status = 0
  responseText = ''

  open(method: string, address: string): void {
    this.#method = method
    this.#address = address
  }

  setRequestHeader(name: string, value: string): void {
    this.#headers.set(name, value)
  }

  getResponseHeader(name: string): string | null {
    return this.#answer.headers.get(name)
  }

  abort(): void {
    this.#aborting.abort()
  }

  /** Sends half of the body, and then the rest. */
  async send(body: Blob): Promise<void> {
    const { signal } = this.#aborting
    const init = { method: this.#method, headers: this.#headers, body, signal }
    for (const loaded of [Math.floor(body.size / 2), body.size]) {
      this.upload.dispatchEvent(new ProgressEvent('progress', { loaded, total: body.size }))
    }
    try {
      this.#answer = await answeredFetch(this.#address, init)
      this.status = this.#answer.status
      this.responseText = await this.#answer.text()
      this.dispatchEvent(new ProgressEvent('load'))
    } catch {
      if (!signal.aborted) this.dispatchEvent(new ProgressEvent('error'))
    }
  }
}

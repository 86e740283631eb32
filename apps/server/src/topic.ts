/** One kind of message inside the server. Subscribers receive each one, in the order of their subscriptions. */
export class Topic<Message extends readonly unknown[] = []> {
  readonly #subscribers: ((...message: Message) => unknown)[] = []

  readonly subscribe = (subscriber: (...message: Message) => unknown): void => {
    this.#subscribers.push(subscriber)
  }

  readonly publish = (...message: Message): void => {
    for (const subscriber of this.#subscribers) subscriber(...message)
  }

  /** Waits for each subscriber. @throws what one throws; those after it receive nothing */
  async publishInTurn(...message: Message): Promise<void> {
    for (const subscriber of this.#subscribers) await subscriber(...message)
  }
}

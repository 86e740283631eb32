import type { ChangeSubscriber } from '../storage/change-log.ts'
import type { ChangeTopic } from '../storage/schema.ts'
import type { Storage } from '../storage/storage.ts'
import type { Cluster } from './cluster.ts'

/** Changes by this server and by the others that share its storage. */
export interface Changes {
  /**
   * This server's changes arrive after their commit and before their caller learns of it, those of other
   * servers within a second.
   */
  readonly subscribe: (topic: ChangeTopic, subscriber: ChangeSubscriber) => void
}

export function changesOf({ changes }: Pick<Storage, 'changes'>, cluster: Cluster): Changes {
  return {
    subscribe: (topic, subscriber) => {
      changes.subscribe(topic, subscriber)
      cluster.onRow(topic, subscriber)
    },
  }
}

import { useEffect, useState } from 'react'
import type { NodeSource } from '../nodes/node-source.ts'
import { ChangeSummary } from './change-summary.ts'

/** The one line that tells what changes, to eyes and ears alike. */
export function ChangeLine({ source }: { source: NodeSource }) {
  const [said, setSaid] = useState({ sentence: '', turn: 0 })
  useEffect(() => {
    const summary = new ChangeSummary((sentence) =>
      setSaid(({ turn }) => ({ sentence, turn: turn + 1 })),
    )
    const unsubscribe = source.onChanges((tally) => summary.note(tally))
    return () => {
      unsubscribe()
      summary.stop()
    }
  }, [source])
  return (
    <output aria-live="polite" className="block text-sm text-muted">
      {/* A new element each time: the same words again are news too. */}
      <span key={said.turn} className="motion-safe:animate-appear">
        {said.sentence}
      </span>
    </output>
  )
}

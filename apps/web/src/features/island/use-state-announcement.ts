import type { IslandView } from '@astropelago/contract/islands'
import { useState } from 'react'

/** A text for screen readers when the island opens, closes or changes its access policy; `''` before. */
export function useStateAnnouncement(island: IslandView): string {
  const [heard, setHeard] = useState({ island, text: '' })
  if (heard.island === island) return heard.text
  const text = changeText(heard.island, island) ?? heard.text
  // Set during rendering, because it depends on the previous render.
  setHeard({ island, text })
  return text
}

function changeText(before: IslandView, now: IslandView): string | undefined {
  if (before.mayEnter && !now.mayEnter) return `You can no longer enter ${now.name}.`
  if (!before.mayEnter && now.mayEnter) return `You can enter ${now.name} now.`
  if (before.pause === null && now.pause !== null) return `${now.name} is paused now.`
  if (before.isOpen !== now.isOpen) return `${now.name} is ${now.isOpen ? 'open' : 'closed'} now.`
  return undefined
}

import type { IslandView } from '@astropelago/contract/islands'
import { useState } from 'react'

/** What is said when an island opens or closes, or its door changes, while it is looked at; '' before. */
export function useStateAnnouncement(island: IslandView): string {
  const [heard, setHeard] = useState({ island, text: '' })
  if (heard.island === island) return heard.text
  const text = changeText(heard.island, island) ?? heard.text
  // While it is drawn: what comes of it depends on what was drawn before.
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

import { cx } from 'class-variance-authority'
import { extendTailwindMerge } from 'tailwind-merge'

type Classes = Parameters<typeof cx>[number]

// Without this, text-heading would count as a colour and drop text-ink beside it.
const merge = extendTailwindMerge({
  extend: {
    theme: { text: ['title', 'heading', 'hero'], radius: ['mark', 'control', 'card'] },
  },
})

/** Joins class names; of two that set the same property, the later one wins. */
export function classNames(...classes: Classes[]): string {
  return merge(cx(...classes))
}

import { cx } from 'class-variance-authority'

/** Resolves no conflicts: tailwind-merge would, for 9 kB gzip of a 140 kB budget. */
export const classNames = cx

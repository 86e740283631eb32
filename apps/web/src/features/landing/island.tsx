import type { ReactNode } from 'react'
import { classNames } from '../../ui/class-names.ts'

type IslandKind = 'social' | 'media' | 'creative'

const settlements: Readonly<Record<IslandKind, ReactNode>> = {
  social: (
    <>
      <path className="island-d" d="M64 94V66l17-5v36z" />
      <path className="island-b" d="M81 61l22 6v28l-22 2z" />
      <path className="island-a" d="M59 68l20-24 7 18z" />
      <path className="island-c" d="M79 44l29 24-22-6z" />
      <path className="island-d" d="M118 98V78l12-3v24z" />
      <path className="island-b" d="M130 75l16 4v17l-16 3z" />
      <path className="island-a" d="M114 80l14-17 5 13z" />
      <path className="island-c" d="M128 63l22 17-17-4z" />
      <path
        className="island-light"
        d="M87 72l6 1.5v7l-6-.5zM69 72l6-2v7l-6 1.5zM135 82l5 1v6l-5 .5z"
      />
      <path className="island-line" d="M46 92V58M164 92V66" />
      <path className="island-spark" d="M46 56h0M164 64h0" />
    </>
  ),
  media: (
    <>
      <path className="island-d" d="M60 92q0-26 26-28v36q-20 0-26-8z" />
      <path className="island-b" d="M86 64q27 2 27 28-8 8-27 8z" />
      <path className="island-light" d="M92 78l7 2v8l-7 1zM70 80l7-2v11l-7-1z" />
      <path className="island-line" d="M134 96V62M126 98l8-20 8 19" />
      <path className="island-a" d="M116 46q2 24 30 26-9-17-30-26z" />
      <path className="island-line" d="M131 59l13-13" />
      <path className="island-spark" d="M145 45h0" />
    </>
  ),
  creative: (
    <>
      <path className="island-d" d="M80 98l-10-34 14-30 6 66z" />
      <path className="island-a" d="M84 34l18 28-12 38z" />
      <path className="island-c" d="M56 94l-6-18 9-14 4 34z" />
      <path className="island-b" d="M59 62l12 16-8 18z" />
      <path className="island-d" d="M112 99l-4-22 11-19 3 42z" />
      <path className="island-a" d="M119 58l14 20-11 22z" />
      <path className="island-c" d="M142 97l-3-11 6-9 2 19z" />
      <path className="island-b" d="M145 77l8 10-6 9z" />
      <path className="island-line" d="M84 34l6 66M119 58l3 42" />
      <path className="island-spark" d="M99 48h0M136 62h0M66 54h0" />
    </>
  ),
}

/** A rock in the sky with buildings on it. Decorative. */
export function Island({ kind, className }: { kind: IslandKind; className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 200 180" className={classNames('island', className)}>
      <path className="island-d" d="M18 92l66 18-14 30-32-18z" />
      <path className="island-e" d="M38 122l32 18 28 34z" />
      <path className="island-f" d="M84 110l-14 30 28 34 14-44z" />
      <path className="island-d" d="M84 110l68-6-40 26z" />
      <path className="island-e" d="M152 104l30-14-22 34-48 6z" />
      <path className="island-f" d="M112 130l48-6-62 50z" />
      <path className="island-top" d="M18 92l40-12 62-5 62 15-30 14-68 6z" />
      <path className="island-rim" d="M18 92l66 18 68-6 30-14" />
      {settlements[kind]}
    </svg>
  )
}

import { paths } from '../../paths.ts'
import { PauseMotionButton } from './pause-motion-button.tsx'

export function Footer() {
  return (
    <footer className="border-t border-line">
      <div className="mx-auto flex w-full max-w-6xl flex-wrap items-center justify-between gap-x-8 gap-y-3 px-4 py-6 text-sm text-muted sm:px-6">
        <p>An early prototype in active development: expect glitches and data resets.</p>
        <div className="flex items-center gap-4">
          <PauseMotionButton />
          {/* A page of the server's own, not one of this app. */}
          <a
            href={paths.apiDocs()}
            className="text-muted underline decoration-line-strong underline-offset-4 hover:text-ink"
          >
            API
          </a>
        </div>
      </div>
    </footer>
  )
}

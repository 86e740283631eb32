import RotateCw from 'virtual:icon/rotate-cw'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { Button } from '../../ui/button.tsx'
import { buttonStyles } from '../../ui/button-styles.ts'
import { paths } from '../../paths.ts'
import { errorMessage } from './error-message.ts'
import { Trouble } from './trouble.tsx'

/** The fallback for errors outside a page, mostly a page whose code can't be loaded. */
export function RouterError({ error }: { readonly error: unknown }) {
  usePageTitle('Error')
  return (
    <div role="alert" className="mx-auto w-full max-w-6xl px-4 sm:px-0">
      <Trouble title="Unexpected Application Error!">
        <p className="text-muted">
          This page could not be shown. If the connection was lost, or Astropelago has just been
          updated, loading it again helps.
        </p>
        <p className="max-w-full font-mono text-sm break-words text-danger">
          {errorMessage(error)}
        </p>
        <div className="flex flex-wrap gap-3">
          <Button onClick={() => window.location.reload()}>
            <RotateCw aria-hidden />
            Load again
          </Button>
          {/* A full page load, because the running app is broken. */}
          <a href={paths.landing()} className={buttonStyles({ variant: 'outline' })}>
            Go to the start
          </a>
        </div>
      </Trouble>
    </div>
  )
}

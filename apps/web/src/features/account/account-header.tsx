import LogOut from 'virtual:icon/log-out'
import { useLogOut } from '../../lib/use-log-out.ts'
import { useUser } from '../../lib/use-user.ts'
import { paths } from '../../paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { accountFailure } from './account-failure.ts'

/** The signed-in user, with the button to log out. */
export function AccountHeader() {
  const { username, name, avatar, hue } = useUser()
  const logOut = useLogOut(() => window.location.assign(paths.landing()))
  return (
    <header className="flex flex-col gap-4">
      <div className="flex items-center justify-between gap-x-4">
        <div className="flex min-w-0 items-center gap-4 sm:gap-5">
          <Avatar username={username} image={avatar} hue={hue} size="large" />
          <div className="flex min-w-0 flex-col gap-0.5">
            <h1 className="text-heading font-semibold">Account</h1>
            <p className="text-sm text-muted wrap-anywhere">
              <span className="font-medium text-ink">{username}</span>
              {name !== null && (
                <>
                  {' '}
                  · <bdi>{name}</bdi>
                </>
              )}
            </p>
          </div>
        </div>
        <Button
          variant="outline"
          size="sm"
          busy={logOut.isPending || logOut.isSuccess}
          onClick={() => logOut.mutate()}
        >
          <LogOut aria-hidden />
          Log out
        </Button>
      </div>
      <FormError>{logOut.isError ? accountFailure(logOut.error) : undefined}</FormError>
    </header>
  )
}

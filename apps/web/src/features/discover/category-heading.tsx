import { classNames } from '../../ui/class-names.ts'
import { categoriesId } from './categories-id.ts'

/** The target of the 'Categories' button, whichever way the categories are shown. */
export function CategoryHeading({ className }: { className: string }) {
  return (
    <h2
      id={categoriesId}
      tabIndex={-1}
      className={classNames('self-start rounded-mark font-semibold outline-offset-4', className)}
    >
      Categories
    </h2>
  )
}

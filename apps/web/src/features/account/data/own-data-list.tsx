import type { OwnData } from './own-data-query.ts'

/** The account's data in the server's words. Empty kinds are left out. */
export function OwnDataList({ data }: { data: OwnData }) {
  return (
    <ul className="flex list-disc flex-col gap-1.5 pl-5 text-sm marker:text-faint">
      {data
        .filter(({ count }) => count > 0)
        .map(({ kind, text }) => (
          <li key={kind}>{text}</li>
        ))}
    </ul>
  )
}

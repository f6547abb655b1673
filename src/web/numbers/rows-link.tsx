import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { NumbersSearch } from './numbers-search.ts'

const PREFIX = '/api/v1/numbers/'

/** Returns the parameters of the page that shows the rows at an address of the service, in the same period. */
export function showRows(rows: string): (search: NumbersSearch) => NumbersSearch {
  return ({ from, to }) => ({ from, to, rows: rows.slice(PREFIX.length) })
}

type RowsLinkProps = {
  readonly rows: string
  readonly label?: string
  readonly children: ReactNode
}

/** A number that leads to the rows behind it. */
export function RowsLink({ rows, label, children }: RowsLinkProps) {
  return (
    <Link from="/numbers" to="/numbers" search={showRows(rows)} {...(label && { 'aria-label': label })}>
      {children}
    </Link>
  )
}

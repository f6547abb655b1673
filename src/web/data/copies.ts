import type { QueryClient } from '@tanstack/react-query'

/** The service counts the changes of everything that can be edited. */
export type Versioned = { readonly id: string; readonly version: number }

/** The path of a kind of resource, and how this tab's copies of it are read, replaced and removed. */
export type Copies<T> = {
  readonly path: string
  /** There is one alone, and it is at the path itself. */
  readonly isSingle?: true
  readonly read: (client: QueryClient, id: string) => T | undefined
  readonly store: (client: QueryClient, row: T) => Promise<void>
  readonly drop: (client: QueryClient, id: string) => Promise<void>
}

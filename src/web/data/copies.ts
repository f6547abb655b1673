import type { QueryClient } from '@tanstack/react-query'

/** A resource with the version that the service increments on every change. */
export type Versioned = { readonly id: string; readonly version: number }

/** The path of a kind of resource, and the access to its cached copies. */
export type Copies<T> = {
  readonly path: string
  /** Set for a resource without an id in its path. */
  readonly isSingle?: true
  readonly read: (client: QueryClient, id: string) => T | undefined
  readonly store: (client: QueryClient, row: T) => Promise<void>
  readonly drop: (client: QueryClient, id: string) => Promise<void>
}

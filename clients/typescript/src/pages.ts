type ListOptions = { readonly query?: Record<string, unknown> | undefined }

type Page<Item> = { readonly data: readonly Item[]; readonly response: Response }

/**
 * Returns the items of a list one by one, fetching page after page: `all(listStudents, { client, query: { limit: 500 } })`.
 * Takes any operation that lists with `limit`, by default 200 a page. Stopping early fetches no further page.
 */
export async function* all<Options extends ListOptions, Item>(
  list: (options: Options) => Promise<readonly Item[]>,
  options: Options,
): AsyncGenerator<Item, void, undefined> {
  let query: Record<string, unknown> | undefined = { limit: 200, ...options.query }
  while (query) {
    // The operations return only the data by themselves; the address of the next page is in a header.
    const page = (await list({
      ...options,
      query,
      responseStyle: 'fields',
    } as never)) as unknown as Page<Item>
    yield* page.data
    query = nextOf(page.response)
  }
}

/** Returns the query of the next page, as the header `Link` (RFC 8288) has it. */
function nextOf({ headers, url }: Response): Record<string, string> | undefined {
  const next = /<([^>]+)>;\s*rel="next"/.exec(headers.get('link') ?? '')?.[1]
  return next === undefined ? undefined : Object.fromEntries(new URL(next, url).searchParams)
}

/** The number of schools after which a test gives up, in relation to those it always plays. */
const AT_MOST = 6

/**
 * Plays further schools until the random schools together show enough: chance decides what a school brings, and a fixed number of them
 * would fail on some seeds. Returns without an error if even the last one is not enough; the caller compares the counts.
 */
export async function playFurtherSchools(
  { beyond, until }: { readonly beyond: number; readonly until: () => boolean },
  play: (index: number) => Promise<void>,
): Promise<void> {
  for (let index = beyond; index < AT_MOST * beyond && !until(); index += 1) await play(index)
}

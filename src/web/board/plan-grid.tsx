import { useMemo, useState } from 'react'
import { GhostDialog } from '../plans/ghost-dialog.tsx'
import { BoardGrid, type BoardGridProps } from './board-grid.tsx'
import { weekOf } from './board-search.ts'
import { useGhosts } from './use-ghosts.ts'
import { usePlan } from './use-plan.ts'

/** Shows a day, or the week of an instructor, with the lessons that a plan proposes. */
export default function PlanGrid(props: Omit<BoardGridProps, 'ghosts'> & { readonly onClose: () => void }) {
  const { date, single } = props
  const [first = date, last = date] = single ? [weekOf(date)[0], weekOf(date).at(-1)] : []
  const { plan } = usePlan(first, last)
  const proposed = useGhosts(plan)
  const [opened, setOpened] = useState<string>()
  const ghosts = useMemo(() => ({ ...proposed, onOpen: setOpened }), [proposed])
  const ghost = plan?.proposed.find(({ id }) => id === opened)
  return (
    <>
      <BoardGrid {...props} ghosts={ghosts} />
      {plan && ghost && (
        <GhostDialog key={ghost.id} {...{ plan, ghost }} onClose={() => setOpened(undefined)} />
      )}
    </>
  )
}

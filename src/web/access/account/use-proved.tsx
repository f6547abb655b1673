import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { ProofKind } from '../../../contract/proof.ts'
import { ACCOUNT } from '../../data/account.ts'
import { ApiProblem } from '../../data/send.ts'
import { ProofDialog } from './proof-dialog.tsx'

type Proved<Given> = {
  readonly run: (given: Given) => void
  readonly error: unknown
  readonly isBusy: boolean
  /** The dialog that asks the user to confirm their identity, if needed. */
  readonly dialog: ReactNode
}

/** Runs a request, and retries it after a proof of identity if the service requires one. Refetches the account each time. */
export function useProved<Given, Result>(
  request: (given: Given) => Promise<Result>,
  onDone: (result: Result) => void | Promise<void>,
): Proved<Given> {
  const client = useQueryClient()
  const [asked, setAsked] = useState<{ readonly ways: readonly ProofKind[]; readonly given: Given }>()
  const { mutate, error, isPending } = useMutation({
    mutationFn: request,
    onSuccess: onDone,
    onSettled: () => void client.invalidateQueries({ queryKey: ACCOUNT }),
    onError: (failure, given) => {
      const ways = waysIn(failure)
      if (ways) setAsked({ ways, given })
    },
  })
  return {
    run: mutate,
    error: waysIn(error) ? undefined : (error ?? undefined),
    isBusy: isPending || asked !== undefined,
    dialog: asked && (
      <ProofDialog
        ways={asked.ways}
        onProved={() => {
          setAsked(undefined)
          mutate(asked.given)
        }}
        onClose={() => setAsked(undefined)}
      />
    ),
  }
}

/** Returns the accepted proofs of identity if the error requires one. */
function waysIn(error: unknown): readonly ProofKind[] | undefined {
  if (!(error instanceof ApiProblem && error.is('proof_required'))) return undefined
  return error.body.params?.ways as readonly ProofKind[]
}

import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'
import { problemMessage } from '../ui/problem-messages.ts'
import { toast } from '../ui/toasts.ts'

type PrintButtonProps = {
  readonly text: string
  readonly print: () => Promise<void>
  readonly disabled?: boolean
  /** Explains a refusal; undefined for other errors. */
  readonly explain?: (error: unknown) => string | undefined
}

/** A button that downloads a document. */
export function PrintButton({ text, print, disabled = false, explain }: PrintButtonProps) {
  const { t } = useTranslation()
  const { mutate, isPending } = useMutation({
    mutationFn: print,
    onError: (error) => toast({ kind: 'problem', text: explain?.(error) ?? problemMessage(error, t) }),
  })
  return (
    <Button isBusy={isPending} disabled={disabled} onClick={() => mutate()}>
      {text}
    </Button>
  )
}

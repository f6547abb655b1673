import { Button } from './button.tsx'

type RemoveButtonProps = {
  readonly label: string
  readonly className?: string | undefined
  readonly isBusy?: boolean
  readonly onClick: () => void
}

/** The cross that removes a row, with its label as a tooltip. A double click does not remove the next row, too. */
export function RemoveButton({ label, isBusy = false, ...more }: RemoveButtonProps) {
  return <Button look="bare" icon="close" aria-label={label} title={label} isBusy={isBusy} {...more} />
}

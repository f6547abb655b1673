import { Button } from './button.tsx'

type RemoveButtonProps = {
  readonly label: string
  readonly className?: string | undefined
  readonly onClick: () => void
}

/** The cross that removes a row. */
export function RemoveButton({ label, ...more }: RemoveButtonProps) {
  return <Button look="bare" icon="close" aria-label={label} {...more} />
}

import { type Fault, invalidRequest } from '../../contract/problem.ts'
import { type Addresses, NO_PUBLIC_ADDRESS, RefusedAddress } from '../../webhooks/addresses.ts'

const UNREACHABLE: Fault = {
  pointer: '/url',
  code: NO_PUBLIC_ADDRESS,
  detail: 'url must have a host that DNS knows, with public addresses alone.',
}

/** Throws `invalid_request` if the service must not connect to the host of the URL now. Every connection checks again. */
export async function requireReceiver(addresses: Addresses, url: string): Promise<void> {
  try {
    await addresses.of(new URL(url).hostname)
  } catch (error) {
    if (!(error instanceof RefusedAddress)) throw error
    throw invalidRequest([UNREACHABLE])
  }
}

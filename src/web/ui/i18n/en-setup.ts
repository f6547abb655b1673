import type { deSetup } from './de-setup.ts'

export const enSetup: typeof deSetup = {
  setup: {
    title: 'Set up Fahrplan',
    intro: 'Add your driving school and your own login. Everything else follows, step by step.',
    whereTitle: 'Open this page by the link that Fahrplan prints when it starts.',
    where:
      'You find it where Fahrplan was started: in the terminal, in “journalctl -u fahrplan”, or in “docker logs”. The code is the part after the #.',
    insecureTitle: 'Nobody will be able to log in at this address: it does not use HTTPS.',
    insecure:
      'Browsers keep you logged in only over HTTPS, or on the computer where Fahrplan runs. Put a proxy with a certificate, such as Caddy or nginx, in front of Fahrplan and open its https:// address; or open this page on that computer, under http://localhost.',
    code: 'Code from the link, or the whole link',
    wrongCode: 'This code is wrong. Use the one in the link that Fahrplan prints when it starts.',
    school: 'Driving school',
    schoolName: 'Name of the school',
    countryHint:
      'Sets the licence classes and lessons that are required there. The country cannot be changed later.',
    owner: 'Your login',
    ownerName: 'Your name',
    passwordHint: 'At least 8 characters.',
    submit: 'Set up the school',
    closed: 'Fahrplan is already set up.',
    logIn: 'Log in',
  },
}

// Leaves out notices of `wrangler dev` that are wrong or useless for users of `npm start`.

const notices = [
  // Because the heap sizes have been changed, the simulator reports that it recompiles its own scripts.
  "bootstrap compile cache",
  // `npm start` triggers the scheduled work. A user might paste this notice's `curl` command instead of the one that
  // renders an invoice.
  "Scheduled Workers are not automatically triggered",
  "To manually trigger a scheduled event",
  '/scheduled"',
  "#test-cron-triggers-locally",
  // The routes of the local Worker are only for requests that skip the static files.
  "will attempt to serve Assets on a configured path",
  "(Will match assets:",
  "Requests not matching an asset will be forwarded to the Worker's code",
];

/** Returns a function that takes the lines of the output in order and says whether to print each one. */
export function noticeFilter(): (line: string) => boolean {
  let isAfterNotice = false;
  return (line) => {
    const isNotice = notices.some((notice) => line.includes(notice));
    isAfterNotice = isNotice || (isAfterNotice && line.trim() === "");
    return !isAfterNotice;
  };
}

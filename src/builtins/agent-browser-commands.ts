/** `references/commands.md` of the builtin `agent-browser`: what the short page leaves out. */
export const AGENT_BROWSER_COMMANDS = `# Commands of agent-browser

\`<sel>\` is a ref (\`@e3\`) or a CSS selector. \`agent-browser --help\` and \`agent-browser <command> --help\` describe the installed version; they win where this page differs.

## Several pages

\`\`\`sh
agent-browser tab                          # list; ids look like t1, t2
agent-browser tab new --label docs https://docs.example.com
agent-browser tab docs                     # switch by label or id, then take a snapshot
agent-browser tab close docs
agent-browser click @e3 --new-tab
agent-browser frame "#payment"             # work inside an iframe
agent-browser frame main                   # back to the page
\`\`\`

Refs belong to the tab and frame in which the snapshot was taken.

## Sessions and profiles

\`\`\`sh
agent-browser --session buyer open https://shop.example.com
agent-browser session list
agent-browser --profile ./profile open https://app.example.com   # a folder that keeps cookies and storage
agent-browser state save auth.json
agent-browser state load auth.json
agent-browser close --all                  # ends every session; only when all of them are yours
\`\`\`

A session has its own browser, cookies, storage and history.

## Dialogs

\`alert\` and \`beforeunload\` are accepted by themselves. \`confirm\` and \`prompt\` wait:

\`\`\`sh
agent-browser dialog status
agent-browser dialog accept "text for a prompt"
agent-browser dialog dismiss
\`\`\`

## Waiting

\`\`\`sh
agent-browser wait @e4                     # visible
agent-browser wait "#spinner" --state hidden
agent-browser wait --text "Order placed"
agent-browser wait --url "**/confirmation"
agent-browser wait --load networkidle      # or: load, domcontentloaded
agent-browser wait --fn "document.querySelectorAll('tr').length > 10"
\`\`\`

\`networkidle\` never comes on pages that poll; wait for a text or an element there.

## Finding without a ref

\`find <how> <what> <action> [value]\`, where *how* is \`role\`, \`text\`, \`label\`, \`placeholder\`, \`alt\`, \`title\`, \`testid\`, \`first\`, \`last\` or \`nth <n>\`, and *action* is \`click\`, \`fill\`, \`check\`, \`hover\` or \`text\`. \`--name\` narrows a role by its accessible name, \`--exact\` turns off partial matches.

## Network, console, storage

\`\`\`sh
agent-browser network requests --type xhr,fetch --status 400-599
agent-browser network request <id>         # headers and body of one
agent-browser network route "**/api/flags" --body '{"beta":true}'
agent-browser network unroute
agent-browser console
agent-browser errors
agent-browser cookies
agent-browser storage local
\`\`\`

## Device and page settings

\`\`\`sh
agent-browser set viewport 1280 800
agent-browser set device "iPhone 14"
agent-browser set media dark
agent-browser set offline on
\`\`\`

## Evidence and comparison

\`\`\`sh
agent-browser screenshot --full shots/page.png
agent-browser pdf page.pdf
agent-browser diff snapshot                # against the last snapshot
agent-browser diff screenshot --baseline before.png -o changed.png
agent-browser a11y --selector "#main"      # accessibility audit
agent-browser vitals                       # loading and responsiveness figures
\`\`\`

## Script in the page

\`\`\`sh
echo 'document.title' | agent-browser eval --stdin
\`\`\`

Reading through \`eval\` is fine where nothing else reaches the value. Do not change the page with it: what a user cannot do, the task rarely wants done.
`;

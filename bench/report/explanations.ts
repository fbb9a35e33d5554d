/** What was chosen, so that the reader can judge whether it is fair. */
export const howItIsMeasured = `## How it is measured

- Each run of each way has a process of its own. The sandbox has another one, so its CPU and memory are not counted; it is the same one for all. The ways take turns, each round beginning with another one. Before the measured run, each process does the same job once, as an n8n has done that has been running for a while.
- **This package** and the **HTTP Request node** run in n8n's engine as in a published workflow, files on the disk, with the same credential. The time is that of the whole workflow.
- **The bare client** is axios with connections kept open, at most 4 requests at a time like this package by default. It sends the ideal requests and checks nothing: no answer, no label, no input.
- **CPU** is that of the process. **Extra memory** is the most that the process had in the measured run beyond what it had before it did the job for the first time. **Longest block** is the longest time in which the process could do nothing else.

How a user who knows n8n well does the jobs with the HTTP Request node (version 4.5, JSON answers):

- *Get all*: its *Pagination* option (\`start\` = \`$pageCount * 100\`), then *Split Out*. It asks for one page after another.
- *Create*: item by item, as the node works by itself, all at once without *Batching*, which would only add pauses; and in batches with *Loop Over Items* (100), *Aggregate*, an expression that builds the list, *Split Out*. Neither checks the input, finds existing shipments, or knows what to do about a lost answer.
- *Create with the look-up*: a search for each order, *Filter*, creation of what is missing.
- *Print and download*: *Aggregate*, \`/Label/Print\`, *Split Out*, a request for each file.
- A poll and the checks have no counterpart.

Orders and shipments are of three carriers in turn for creation and printing. In this package's form every field is mapped by an expression, as one drags them. Label files have the size of real ones (10 kB a label) but are not drawn, because drawing takes the sandbox longer than everything else.

## What the difference to the bare client is made of

- **n8n's request function alone** sends the bare client's requests, at most 4 at a time, through the function that n8n gives its nodes, with the credential, and does nothing with the answers. It opens a connection for every request; a node can't keep one open. How much of a job is n8n's own can be read there.
- **Creation** asks for the carriers and the services of the account first, to name every problem before anything is sent; without the look-up, it also notes what exists already, so that a lost answer can be read back with certainty. That is two or three times the latency, whatever the number of orders. The requests of one carrier then go one after another, those of several side by side; the bare client sends four at a time of any.
- **A poll** reads and writes its state and knows each event by its fingerprint; the others throw the answers away.
- **A large file** passes as a stream. What it takes of the memory is what Node.js lets pile up of a stream before it clears away, for the bare client as well.`;

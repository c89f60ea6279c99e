"""What converting a stack from one norm placement to another does to its slots.

A stack of n groups of sublayers has n + 1 trunk points: p_0 before the first
group, p_i between group i - 1 and group i, p_n after the last. At a point there
may be a trunk norm T (p_0: the embedding norm, then: the post norm of the group
before) and, on the way into the sublayers that read it, branch norms B (their
input norms). The target placements say which of the two are wanted: T at p_i is
the affair of the group before the point, B of each sublayer after it. Then, at
every point,

 - a norm that is wanted and there stays;
 - T that is no longer wanted becomes a B that is wanted and missing, and a B
   that is no longer wanted becomes a T that is wanted and missing: the norm
   keeps its parameters (Post-LN to Pre-LN is only a rewiring);
 - what is wanted and still missing is new: scale 1, bias 0;
 - what is not wanted and has not moved is dropped.

Output norms are added and dropped in place.
"""

from dataclasses import replace

from .stack import PLACEMENTS, Norm, Stack

EMBEDDING_NORM = ("auto", "keep", "add", "drop")
FINAL_NORM = ("auto", "require")


class Unconvertible(ValueError):
    """The rules give no answer to the conversion that was asked for."""


def convert(
    stack,
    to,
    *,
    alpha=None,
    layers=None,
    kinds=None,
    embedding_norm="auto",
    final_norm="auto",
    new_norm=None,
    epsilon=None,
    parameters=None,
):
    """Returns `stack` with its sublayers in placement `to`.

    to              a name of PLACEMENTS, or "deepnorm": post norms and `alpha`
                    as residual scale. Leaving deepnorm, or going to "post", sets
                    the scale to 1.
    layers, kinds   convert only the sublayers of these layers and kinds (all of
                    them by default); the others keep their placement.
    embedding_norm  "auto": the embedding norm leaves the trunk when the first
                    sublayer wants an input norm and has none, and comes back
                    when the first sublayer exchanges its input norm for a post
                    norm. "keep" leaves the trunk at p_0 as it is; "add" and
                    "drop" make sure that an embedding norm is there, or is not.
    final_norm      If the last group is to have no post norm, the one it had
                    becomes the final norm; a stack without either gets a new
                    one, unless `to` is "none" or the last sublayer is not
                    converted ("require" raises instead). If the last group
                    lacks a post norm that it is to have, the final norm becomes
                    it. A stack with both keeps both.
    new_norm        kind of new norms, and `epsilon` theirs: by default what all
                    norms of the stack agree on.
    parameters      scale and bias of new norms, by names such as
                    "layers.3.ffn.output_norm.scale", "final_norm.bias" or
                    "embedding_norm.scale".
    """
    if to != "deepnorm" and to not in PLACEMENTS:
        raise ValueError(f"expected a placement, but got {to!r}")
    if (to == "deepnorm") != (alpha is not None):
        raise ValueError("expected alpha with deepnorm, and with no other placement")
    if embedding_norm not in EMBEDDING_NORM:
        raise ValueError(f"expected one of {EMBEDDING_NORM}, but got {embedding_norm!r}")
    if final_norm not in FINAL_NORM:
        raise ValueError(f"expected one of {FINAL_NORM}, but got {final_norm!r}")
    if not stack.groups:
        return stack

    target = _Target(to, layers, kinds)
    make = _NewNorms(stack, new_norm, epsilon, parameters or {})
    first, last = stack.groups[0], stack.groups[-1]

    wanted = _embedding_norm_wanted(stack.embedding_norm, first, target, embedding_norm)
    embedding, inputs = _settle(stack.embedding_norm, wanted, "embedding_norm", first, target, make)
    sublayers = []
    for group, following in zip(stack.groups, stack.groups[1:]):
        post, inputs_of_following = _settle(
            group[-1].post_norm,
            target.post(group),
            f"{group[-1].name}.post_norm",
            following,
            target,
            make,
        )
        sublayers += _rebuild(group, inputs, post, target, alpha, make)
        inputs = inputs_of_following
    post, final = _settle_last(last, stack.final_norm, target, final_norm, make)
    sublayers += _rebuild(last, inputs, post, target, alpha, make)
    make.check_all_used()
    return Stack(tuple(sublayers), embedding, final)


class _Target:
    """Which norms every sublayer wants, those that keep their placement included."""

    def __init__(self, to, layers, kinds):
        self.to, self.layers, self.kinds = to, layers, kinds
        self.bits = PLACEMENTS["post" if to == "deepnorm" else to]

    def converted(self, sublayer):
        return (self.layers is None or sublayer.layer in self.layers) and (
            self.kinds is None or sublayer.kind in self.kinds
        )

    def input(self, sublayer):
        return self.bits[0] if self.converted(sublayer) else sublayer.input_norm is not None

    def output(self, sublayer):
        return self.bits[1] if self.converted(sublayer) else sublayer.output_norm is not None

    def post(self, group):
        had = group[-1].post_norm is not None
        wanted = {self.bits[2] if self.converted(sublayer) else had for sublayer in group}
        if len(wanted) != 1:
            raise Unconvertible(
                f"expected all sublayers parallel to {group[0].name} to want a post norm, or none"
            )
        return wanted.pop()


class _NewNorms:
    """Makes the norms that have no counterpart in the stack."""

    def __init__(self, stack, kind, epsilon, parameters):
        self.stack, self.kind, self.epsilon = stack, kind, epsilon
        self.parameters, self.unused = parameters, set(parameters)

    def __call__(self, name):
        self.unused -= {f"{name}.scale", f"{name}.bias"}
        return Norm(
            self.kind or self._agreed("kind"),
            self._agreed("epsilon") if self.epsilon is None else self.epsilon,
            self.parameters.get(f"{name}.scale"),
            self.parameters.get(f"{name}.bias"),
            self._agreed("epsilon_mode") if self.epsilon is None else "inside",
        )

    def _agreed(self, field):
        norms = [self.stack.embedding_norm, self.stack.final_norm]
        for sublayer in self.stack.sublayers:
            norms += [sublayer.input_norm, sublayer.output_norm, sublayer.post_norm]
        values = {getattr(norm, field) for norm in norms if norm}
        if len(values) != 1:
            raise Unconvertible(
                f"expected the stack's norms to agree on one {field}, but got {sorted(values)}"
            )
        return values.pop()

    def check_all_used(self):
        if self.unused:
            raise ValueError(f"expected parameters of new norms, but got {sorted(self.unused)}")


def _settle(trunk, trunk_wanted, trunk_name, following, target, make):
    """The rules at one point, before the group `following`. Returns the trunk
    norm and the list of input norms."""
    branches = [sublayer.input_norm for sublayer in following]
    wanted = [target.input(sublayer) for sublayer in following]

    inputs = []
    for sublayer, branch, branch_wanted in zip(following, branches, wanted):
        if not branch_wanted:
            inputs.append(None)
        elif branch:
            inputs.append(branch)
        elif trunk and not trunk_wanted:
            inputs.append(trunk)
        else:
            inputs.append(make(f"{sublayer.name}.input_norm"))

    if not trunk_wanted:
        return None, inputs
    # Of parallel sublayers with several input norms, none is the trunk's.
    if not trunk and branches[0] and len(set(branches)) == 1 and not any(wanted):
        trunk = branches[0]
    return trunk or make(trunk_name), inputs


def _embedding_norm_wanted(embedding_norm, first, target, policy):
    if policy != "auto":
        return {"keep": embedding_norm is not None, "add": True, "drop": False}[policy]
    if embedding_norm:
        return not any(target.input(s) and s.input_norm is None for s in first)
    return target.post(first) and all(s.input_norm and not target.input(s) for s in first)


def _settle_last(group, final, target, policy, make):
    """The rules after the last group. Returns its post norm and the final norm."""
    post = group[-1].post_norm
    if post and final:
        return post, final
    if target.post(group):
        return post or final or make(f"{group[-1].name}.post_norm"), None
    final = final or post
    if not final and target.to != "none" and target.converted(group[-1]):
        if policy == "require":
            raise Unconvertible("expected a final norm, but got none")
        final = make("final_norm")
    return None, final


def _rebuild(group, inputs, post, target, alpha, make):
    """The group's sublayers with their new norms."""
    was_deepnorm = group[-1].post_norm is not None and group[0].residual_scale != 1.0
    sublayers = []
    for sublayer, input_norm in zip(group, inputs):
        output_norm = None
        if target.output(sublayer):
            output_norm = sublayer.output_norm or make(f"{sublayer.name}.output_norm")
        residual_scale = sublayer.residual_scale
        # Of the sums of a group, only the first has the skip as its operand.
        if sublayer is group[0] and target.converted(sublayer):
            if target.to == "deepnorm":
                residual_scale = alpha
            elif was_deepnorm or target.to == "post":
                residual_scale = 1.0
        sublayers.append(
            replace(
                sublayer,
                input_norm=input_norm,
                output_norm=output_norm,
                post_norm=post if sublayer is group[-1] else None,
                residual_scale=residual_scale,
            )
        )
    return sublayers
